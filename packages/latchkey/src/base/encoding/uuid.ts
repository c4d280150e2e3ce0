import { encodeHex } from './hex.ts'

/** Returns a random UUID (RFC 9562 section 5.4) of 16 random bytes. */
export function formatUuid(bytes: Uint8Array): string {
  const version = ((bytes[6] as number) & 0x0f) | 0x40
  const variant = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = encodeHex(bytes)
  const marked = (byte: number): string => byte.toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${marked(version)}${hex.slice(14, 16)}-${marked(variant)}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}
