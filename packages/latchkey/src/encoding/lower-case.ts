/**
 * Lower case, as addresses are kept and compared. The sign of Kelvin stays what it is: made a plain `k`,
 * it would turn somebody's address into another person's.
 */
export function lowerCase(address: string): string {
  return address.replaceAll(/[^\u212A]+/g, (part) => part.toLowerCase())
}
