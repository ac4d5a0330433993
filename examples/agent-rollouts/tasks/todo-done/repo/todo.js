import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = process.env.TODO_FILE ?? "todo.json";
const entries = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];

const commands = {
  add(words) {
    const text = words.join(" ");
    save([...entries, text]);
    console.log(`added: ${text}`);
  },
  list() {
    for (const [i, text] of entries.entries()) console.log(`${i + 1}. ${text}`);
  },
};

const [name, ...words] = process.argv.slice(2);
if (name !== undefined && Object.hasOwn(commands, name)) commands[name](words);
else fail(`no such command: ${name ?? ""}`);

function save(list) {
  writeFileSync(file, `${JSON.stringify(list)}\n`);
}

function fail(message) {
  console.error(message);
  process.exitCode = 2;
}
