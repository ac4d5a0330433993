/** What would steer a terminal or turn the reading direction is shown, not done: an escape code begins with \\x1b. */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (code) => `\\x${hex(code, 2)}`)
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (code) => `\\u${hex(code, 4)}`);
}

function hex(code: string, digits: number): string {
  return code.charCodeAt(0).toString(16).padStart(digits, "0");
}
