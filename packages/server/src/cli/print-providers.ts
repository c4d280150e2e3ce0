import { nearest } from 'latchkey/plugin'
import { UserError } from '../user-error.ts'
import {
  type CatalogueEntry,
  isOAuth,
  isTakenByName,
  kindOf,
  logoutAddressesOf,
  optionsOf,
  readCatalogue,
  variablesOf,
} from './catalogue.ts'

/**
 * Prints the providers that have this text in one of their names, or all. For a single provider it also prints the
 * settings.
 *
 * @throws {UserError} if there is none.
 */
export async function printProviders(text: string): Promise<void> {
  const all = await readCatalogue()
  const { found, further } = find(text, all)
  const [first, ...others] = found
  if (!first) throw new UserError(missing(text, all))
  process.stdout.write(others.length === 0 ? details(first, further) : list(found))
}

interface Found {
  readonly found: readonly CatalogueEntry[]
  /** Other providers with this name, or with this word in a name. */
  readonly further: readonly CatalogueEntry[]
}

function find(text: string, all: readonly CatalogueEntry[]): Found {
  const wanted = plain(text)
  const alike = all.filter((entry) => namesOf(entry).some((name) => plain(name) === wanted))
  // Another provider may have the text as one of its other names; an id belongs to one provider.
  const own = alike.filter(({ module, description: { id } }) => [id, module].includes(text))
  const called = own.length > 0 ? own : alike
  if (called.length === 0) {
    if (wanted === '' && text !== '') return { found: [], further: [] }
    const found = all.filter((entry) => namesOf(entry).some((name) => plain(name).includes(wanted)))
    return { found, further: [] }
  }
  const named = all.filter((entry) =>
    namesOf(entry).some((name) => name.split(/[\s-]+/).some((word) => plain(word) === wanted)),
  )
  const others = all.filter((entry) => alike.includes(entry) || named.includes(entry))
  return { found: called, further: others.filter((entry) => !called.includes(entry)) }
}

function namesOf({ module, description: { id, name }, otherNames }: CatalogueEntry): string[] {
  return [...new Set([id, module, name, ...otherNames])]
}

/** Returns a name in lower case, without spaces and punctuation. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function missing(text: string, all: readonly CatalogueEntry[]): string {
  const meant = nearest(text, all.flatMap(namesOf))
  return `there is no provider "${text}"; ${
    meant === undefined
      ? 'list all with "latchkey providers", or add your own: docs/how-to/add-a-provider.md'
      : `did you mean "${meant}"?`
  }`
}

function list(entries: readonly CatalogueEntry[]): string {
  return table(
    entries.map(({ description, otherNames }) => [
      description.id,
      [description.name, ...otherNames].join(', '),
      `${kindOf(description)}${description.deprecated ? ', deprecated' : ''}`,
    ]),
  )
}

function details(entry: CatalogueEntry, further: readonly CatalogueEntry[]): string {
  const { module, description, otherNames } = entry
  const { id, name, type, deprecated, defaultIssuer } = description
  const options = optionsOf(description)
  const isMail = type === 'email'
  const isNameable = isTakenByName(description)
  const variables = [
    ...(isNameable ? [`AUTH_PROVIDERS=${id}`] : []),
    ...variablesOf(description).map((variable) =>
      defaultIssuer && variable.endsWith('_ISSUER')
        ? `${variable}, or it is ${defaultIssuer}`
        : variable,
    ),
    ...(isNameable && isMail ? ['MAIL_FROM'] : []),
  ]
  const rows: [string, string[]][] = [
    ['name', [[name, ...otherNames].join(', ')]],
    ['kind', [kindOf(description)]],
    ['deprecated', deprecated ? [deprecated] : []],
    ['to set', variables],
    ['in auth.providers', isNameable ? [] : [`latchkey/providers/${module}`]],
    ['with the options', isNameable ? [] : options],
    ['callback URL', isOAuth(description) ? [`https://your.site/auth/callback/${id}`] : []],
    ...logoutAddressesOf(description).map(([label, address]): [string, string[]] => [
      label,
      [address],
    ]),
    ['page', [`docs/reference/providers/${module}.md`]],
    ['see also', further.map((other) => other.description.id)],
  ]
  return table(
    rows.flatMap(([label, [first, ...more]]) =>
      first === undefined ? [] : [[label, first], ...more.map((value) => ['', value])],
    ),
  )
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
