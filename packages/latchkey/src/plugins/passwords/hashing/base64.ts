import { encodeBase64url } from '../../../entries/plugin.ts'

/** Encodes bytes as base64 without padding, as strings of the PHC format have it. */
export function encodeBase64(bytes: Uint8Array): string {
  return encodeBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
}

/**
 * Decodes base64 with or without padding.
 *
 * @returns `undefined` for other characters, and for surplus bits.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bare = text.replace(/={1,2}$/, '')
  const isPadded = bare !== text
  if (!/^[A-Za-z0-9+/]*$/.test(bare) || bare.length % 4 === 1) return undefined
  if (isPadded && text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(bare), (character) => character.charCodeAt(0))
  return encodeBase64(bytes) === bare ? bytes : undefined
}
