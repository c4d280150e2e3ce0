/** Longest text of somebody else that a message quotes, in characters. */
const LIMIT = 200

/** Returns the text, or its beginning and an ellipsis when it is longer than 200 characters. */
export function excerpt(text: string): string {
  return text.length > LIMIT ? `${text.slice(0, LIMIT - 1)}…` : text
}
