/** Maximum length of foreign text in a message, in characters. */
const LIMIT = 200

/** Returns the text, cut to 200 characters with an ellipsis. */
export function excerpt(text: string): string {
  return text.length > LIMIT ? `${text.slice(0, LIMIT - 1)}…` : text
}
