import { studySchema } from "../index.ts";

export function schema(): void {
  console.log(JSON.stringify(studySchema(), null, 2));
}
