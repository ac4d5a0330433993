/** Nothing in the data can become markup; characters that no page shows are replaced. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "�")
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
