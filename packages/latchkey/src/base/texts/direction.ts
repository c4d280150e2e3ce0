/** Languages whose scripts run from right to left. */
const FROM_RIGHT = /^(?:ar|arc|ckb|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)|-(?:Arab|Hebr|Thaa)(?:-|$)/i

/** Returns the direction of a language's script, for `dir` of HTML. @param lang BCP 47 */
export function directionOf(lang: string): 'ltr' | 'rtl' {
  return FROM_RIGHT.test(lang) && !/-Latn(?:-|$)/i.test(lang) ? 'rtl' : 'ltr'
}
