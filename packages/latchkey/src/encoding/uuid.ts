/** A random UUID (RFC 9562 section 5.4) out of 16 random bytes. */
export function formatUuid(bytes: Uint8Array): string {
  const copy = Uint8Array.from(bytes.subarray(0, 16))
  copy[6] = ((copy[6] as number) & 0x0f) | 0x40
  copy[8] = ((copy[8] as number) & 0x3f) | 0x80
  const hex = Array.from(copy, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
