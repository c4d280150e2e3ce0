import { defaultOf, definedOnly } from '../../entries/plugin.ts'

const KINDS = ['desktop', 'mobile', 'tablet', 'tv', 'bot'] as const

/** The browser and the system of a sign-in: families, without versions and models. */
export type DeviceFacts = {
  /** For example `Firefox`. */
  readonly browser?: string
  /** For example `Linux`. */
  readonly system?: string
  readonly kind: (typeof KINDS)[number] | 'program' | 'unknown'
}

/** The longest headers that are read, in characters. */
const LONGEST_AGENT = 512
const LONGEST_HINT = 256

/**
 * Returns the device that the headers of a request describe. A client can send any headers. Names are those that the
 * parser knows, and unknown ones become `unknown`.
 */
export async function deviceOf(headers: Headers): Promise<DeviceFacts> {
  const agent = (headers.get('user-agent') ?? '').slice(0, LONGEST_AGENT)
  if (agent === '') return { kind: 'unknown' }
  // All browsers begin with one of these, and few other programs do.
  if (!/^(?:Mozilla|Opera)\//.test(agent)) return { kind: 'program' }
  const bowser = defaultOf(await import('bowser'))
  try {
    const { browser, os, platform } = bowser.parse(agent, hintsOf(headers))
    const kind = KINDS.find((each) => each === platform.type) ?? 'unknown'
    return {
      ...definedOnly({
        browser: knownName(browser.name, bowser.BROWSER_MAP),
        system: knownName(os.name, bowser.OS_MAP),
      }),
      kind,
    }
  } catch {
    return { kind: 'unknown' }
  }
}

/** Returns a name only if it is in the parser's list, since the parser also returns unknown words. */
function knownName(
  name: string | undefined,
  known: Readonly<Record<string, string>>,
): string | undefined {
  return Object.values(known).find((each) => each === name)
}

/** Returns the client hints that browsers send by default. */
function hintsOf(headers: Headers): { brands?: Brand[]; mobile?: boolean; platform?: string } {
  const hint = (name: string): string => (headers.get(name) ?? '').slice(0, LONGEST_HINT)
  const brands = [...hint('sec-ch-ua').matchAll(/"([^"\\]*)";v="([^"\\]*)"/g)].map(
    ([, brand = '', version = '']) => ({ brand, version }),
  )
  if (brands.length === 0) return {}
  return {
    brands,
    mobile: hint('sec-ch-ua-mobile') === '?1',
    platform: hint('sec-ch-ua-platform').replaceAll('"', ''),
  }
}

interface Brand {
  readonly brand: string
  readonly version: string
}
