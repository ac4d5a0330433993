import type { SourceScalar } from "../source-file.ts";

/** A scalar in a sweep file, as the tool that such files were written for reads it, or as its author meant it. */
export interface SweepScalar {
  value: unknown;
  /** Written as a float: `1.0`, `1e-5`; not `1`. */
  isFloat: boolean;
  /** What is to be told about the reading. */
  remark?: Remark;
}

export type Remark =
  | "exponent"
  | "boolean"
  | "octal"
  | "underscore"
  | "prefix"
  | "sexagesimal"
  | "leadingZero";

/** `{words}` stands for what is written, `{values}` for what it was read as. */
export const REMARKS: Record<Remark, string> = {
  exponent: "{words}: read as a number, as was meant; YAML 1.1, which that tool reads, has a text here",
  boolean: "{words}: read as {values}, as YAML 1.1 does; quote it for a text",
  octal: "{words}: read as octal, {values}, as YAML 1.1 does; leave out the leading zero, or quote it",
  underscore: "{words}: read as {values}, as YAML 1.1 does",
  prefix: "{words}: read as the number {values}",
  sexagesimal:
    "{words}: read as a text; YAML 1.1, which that tool reads, has minutes and seconds here; quote it",
  leadingZero: "{words}: read as a text, as YAML 1.1 does; quote it, or leave out the leading zero",
};

const DECIMAL = /^[-+]?(0|[1-9][0-9_]*)$/;
const OCTAL = /^[-+]?0[0-7_]+$/;
const LEADING_ZERO = /^[-+]?0[0-9]+$/;
const PREFIXED = /^[-+]?0[xbo][0-9a-fA-F_]+$/;
const SEXAGESIMAL = /^[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+$/;
/** PyYAML wants a point before an exponent, and a sign in it. */
const FLOAT = /^[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)([eE][-+][0-9]+)?$/;
const MEANT_FLOAT = /^[-+]?(\.[0-9]+|[0-9]+\.?[0-9]*)[eE][-+]?[0-9]+$/;
const TRUE = /^(yes|Yes|YES|on|On|ON)$/;
const FALSE = /^(no|No|NO|off|Off|OFF)$/;

/** `value` is what YAML 1.2 makes of it. */
export function readScalar({ text, isPlain, tag }: SourceScalar, value: unknown): SweepScalar {
  if (tag?.endsWith(":float")) return { value, isFloat: true };
  if (!isPlain || tag !== undefined) return { value, isFloat: false };
  const plain = text.replaceAll("_", "");
  const asNumber = (number: number, remark?: Remark): SweepScalar => ({
    value: text.startsWith("-") ? -Math.abs(number) : number,
    isFloat: false,
    ...(remark && { remark }),
  });
  if (DECIMAL.test(text)) return asNumber(Number(plain), text.includes("_") ? "underscore" : undefined);
  if (OCTAL.test(text)) return asNumber(Number.parseInt(plain.replace(/^[-+]/, ""), 8), "octal");
  if (LEADING_ZERO.test(text)) return { value: text, isFloat: false, remark: "leadingZero" };
  if (PREFIXED.test(text)) {
    const number = Number(plain.replace(/^[-+]/, ""));
    if (Number.isNaN(number)) return { value, isFloat: false };
    return asNumber(number, /0x/.test(text) && !text.includes("_") ? undefined : "prefix");
  }
  if (FLOAT.test(text)) {
    const remark = text.includes("_") ? { remark: "underscore" as const } : {};
    return { value: Number(plain), isFloat: true, ...remark };
  }
  if (MEANT_FLOAT.test(text)) return { value: Number(text), isFloat: true, remark: "exponent" };
  if (SEXAGESIMAL.test(text)) return { value: text, isFloat: false, remark: "sexagesimal" };
  if (TRUE.test(text)) return { value: true, isFloat: false, remark: "boolean" };
  if (FALSE.test(text)) return { value: false, isFloat: false, remark: "boolean" };
  return { value, isFloat: false };
}
