/** What the user should know, kept until somebody listens. */
export class Notices {
  #early: string[] = [];
  #listener: ((text: string) => void) | undefined;

  readonly say = (text: string): void => {
    if (this.#listener) this.#listener(text);
    else this.#early.push(text);
  };

  listen(listener: (text: string) => void): void {
    this.#listener = listener;
    for (const text of this.#early.splice(0)) listener(text);
  }
}
