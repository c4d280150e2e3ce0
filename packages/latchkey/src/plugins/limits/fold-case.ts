/** Returns the text in the case in which addresses are stored, so all spellings of a letter are equal. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
