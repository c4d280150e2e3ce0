import { defaultOf, definedOnly } from '../../entries/plugin.ts'

const KINDS = ['desktop', 'mobile', 'tablet', 'tv', 'bot'] as const

/** With what somebody signed in: families, without versions and models. */
export type DeviceFacts = {
  /** `Firefox` for example. */
  readonly browser?: string
  /** `Linux` for example. */
  readonly system?: string
  readonly kind: (typeof KINDS)[number] | 'program' | 'unknown'
}

/** Longest headers that are read, characters. */
const LONGEST_AGENT = 512
const LONGEST_HINT = 256

/**
 * Returns what the headers of a request say of its browser. They may say anything: names are those that the
 * parser knows, and what it cannot read is `unknown`.
 */
export async function deviceOf(headers: Headers): Promise<DeviceFacts> {
  const agent = (headers.get('user-agent') ?? '').slice(0, LONGEST_AGENT)
  if (agent === '') return { kind: 'unknown' }
  // All browsers begin like this, and hardly anything else.
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

/** The parser makes names of whatever it does not know. */
function knownName(
  name: string | undefined,
  known: Readonly<Record<string, string>>,
): string | undefined {
  return Object.values(known).find((each) => each === name)
}

/** Client hints that browsers send without being asked. */
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
