/** Browsers by their patterns. Specific ones come first, since most browsers also name those they are based on. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPadOS'],
  [/\biPhone\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Maximum number of characters that are read. */
const LONGEST = 512

/** Names of a browser and its system, without versions. Each is one of a few known names. */
export interface AgentName {
  readonly browser: string | undefined
  readonly system: string | undefined
}

/** Returns the names in the `User-Agent` header, which may be wrong. Other programs than browsers have no names. */
export function agentNameOf(headers: Headers): AgentName {
  const agent = (headers.get('user-agent') ?? '').slice(0, LONGEST)
  const isBrowser = /^(?:Mozilla|Opera)\//.test(agent)
  const nameIn = (names: typeof BROWSERS): string | undefined =>
    isBrowser ? names.find(([pattern]) => pattern.test(agent))?.[1] : undefined
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) }
}
