/**
 * Converts an email address to lower case, except for the Kelvin sign: as a plain `k`, it would turn the address into
 * the address of another person.
 */
export function lowerCase(address: string): string {
  return address.replaceAll(/[^\u212A]+/g, (part) => part.toLowerCase())
}
