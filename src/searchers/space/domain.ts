import type { Value } from "../../core/params.ts";

/** The values of one parameter, laid out along the unit interval as often as the distribution says. */
export interface Domain {
  /** How many values there are; Infinity for a continuum. */
  size: number;
  /** Whether every number between the bounds is a value, so that no draw repeats another. */
  isContinuum: boolean;
  /** Whether neighbours on the unit interval are alike; false for choices without an order. */
  ordered: boolean;
  /** The value at a quantile in (0, 1). */
  valueAt(unit: number): Value;
  /** The part of the unit interval that gives this value: from, to. In a continuum both are the same. */
  cellOf(value: Value): readonly [number, number];
  /** The value with this number, from 0; only where `size` is finite. */
  nth(index: number): Value;
  /** The number of a value, -1 where it is none of them; only where `size` is finite. */
  indexOf(value: Value): number;
}
