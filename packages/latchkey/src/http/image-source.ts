/** Returns the source of an image for a policy; `undefined` if the URL is not the URL of an image. */
export function imageSource(address: string | undefined): string | undefined {
  if (!address) return undefined
  if (!URL.canParse(address)) return "'self'"
  const { protocol, origin } = new URL(address)
  if (protocol === 'data:') return protocol
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined
}
