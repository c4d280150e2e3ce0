/** Returns the sender of mails if none is configured. */
export function defaultSender(url: string): string {
  return `no-reply@${new URL(url).hostname}`
}
