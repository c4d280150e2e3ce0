import { foldPassword } from './normal-form.ts'

/** What an attacker knows about the user and the site. */
export interface KnownWords {
  readonly email?: string | null | undefined
  readonly username?: string | null | undefined
  readonly name?: string | null | undefined
  /** The name of the service, and its host. */
  readonly siteNames?: readonly string[] | undefined
}

const LONGEST_PART = 4
const SHORTEST_RUN = 3
const SHORTEST_WORD = 4

/** Characters in the order in which a run has them. Digits go on with 0 after 9. */
const ORDERS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  // QWERTY, QWERTZ and AZERTY.
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop\u00fc',
  'asdfghjkl\u00f6\u00e4',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
]

/** Pairs of neighbours in one of the orders, each with all orders and directions in which they are neighbours. */
const NEIGHBOURS: ReadonlyMap<string, ReadonlySet<string>> = neighbours()

function neighbours(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (pair: string, run: string): void => {
    found.set(pair, (found.get(pair) ?? new Set()).add(run))
  }
  for (const order of [...ORDERS, '01234567890']) {
    for (let i = 1; i < order.length; i++) {
      const [before, after] = [order.charAt(i - 1), order.charAt(i)]
      add(before + after, `${order} forward`)
      add(after + before, `${order} back`)
    }
  }
  return found
}

/**
 * Returns whether the whole password is one of those that are tried first: a repetition, runs of the alphabet or of a
 * keyboard, or a word that is known about the user or the site.
 */
export function isExpected(password: string, about: KnownWords): boolean {
  const folded = foldPassword(password)
  return isRepetition(folded) || isRuns(folded) || isKnownWord(folded, about)
}

/** Returns whether a text repeats a part of 1 to 4 characters; the last one may be cut off. */
function isRepetition(text: string): boolean {
  const characters = Array.from(text)
  for (let length = 1; length <= LONGEST_PART; length++) {
    if (characters.length < 2 * length) return false
    if (characters.every((each, i) => i < length || each === characters[i - length])) return true
  }
  return false
}

/** Returns whether a text is made of runs alone. */
function isRuns(text: string): boolean {
  const characters = Array.from(text)
  /** Whether the text before this place is made of runs. */
  const isMade: boolean[] = [true]
  for (let start = 0; start + SHORTEST_RUN <= characters.length; start++) {
    if (!isMade[start]) continue
    let runs = runsOf(characters, start + 1)
    for (let end = start + 2; end < characters.length && runs.size > 0; end++) {
      const here = runsOf(characters, end)
      runs = new Set([...runs].filter((run) => here.has(run)))
      if (runs.size > 0) isMade[end + 1] = true
    }
  }
  return characters.length > 0 && isMade[characters.length] === true
}

const SAME = new Set(['same'])
const NONE: ReadonlySet<string> = new Set()

/** Returns the runs in which a character follows the one before it. */
function runsOf(characters: readonly string[], at: number): ReadonlySet<string> {
  const [before, here] = [characters[at - 1] ?? '', characters[at] ?? '']
  return before === here ? SAME : (NEIGHBOURS.get(before + here) ?? NONE)
}

function isKnownWord(folded: string, about: KnownWords): boolean {
  const core = bare(folded)
  return wordsOf(about).some((word) => {
    const times = core.length / word.length
    return Number.isInteger(times) && times > 0 && core === word.repeat(times)
  })
}

function wordsOf({ email, username, name, siteNames = [] }: KnownWords): string[] {
  const address = email ?? ''
  const at = address.lastIndexOf('@')
  const words = [
    address,
    address.slice(0, Math.max(at, 0)),
    ...address.slice(at + 1).split('.'),
    username ?? '',
    name ?? '',
    ...(name ?? '').split(/\s+/),
    (name ?? '').replaceAll(/\s+/g, ''),
    ...siteNames,
    ...siteNames.flatMap((each) => each.split('.')),
  ]
  const bareWords = words.map((word) => bare(foldPassword(word)))
  return [...new Set(bareWords.filter((word) => Array.from(word).length >= SHORTEST_WORD))]
}

/** Takes digits, spaces and punctuation off both ends. */
function bare(text: string): string {
  const characters = Array.from(text)
  const isOff = (character: string): boolean => /^[\d\s\p{P}\p{S}\p{N}]$/u.test(character)
  const start = characters.findIndex((each) => !isOff(each))
  const end = characters.findLastIndex((each) => !isOff(each))
  return start < 0 ? '' : characters.slice(start, end + 1).join('')
}
