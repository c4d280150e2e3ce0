import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Row, Spread } from './measure.ts'

const readme = fileURLToPath(new URL('README.md', import.meta.url))
const [BEGIN, END] = ['<!-- results -->', '<!-- end of results -->']

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const cells = [
    ['case', 'ours, µs', 'peer, µs', 'times as fast', 'asked', 'over the limit', 'asked'],
    ['---', '---:', '---:', '---:', '---:', '---:', '---:'],
    ...rows.map((row) => [
      row.name,
      number(row.ours.median),
      row.peer ? number(row.peer.median) : '–',
      range(row.timesAsFast),
      row.ask === undefined ? '–' : `${row.ask}, ${verdict(askMet(row))}`,
      range(row.overLimit),
      limitOf(row),
    ]),
  ]
  return cells.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Whether the medians are what was asked for. */
export function met(row: Row): boolean {
  return askMet(row) && withinMet(row) && atMostMet(row)
}

function limitOf(row: Row): string {
  if (row.atMost !== undefined) return `≤ ${row.atMost} µs, ${verdict(atMostMet(row))}`
  return row.within === undefined ? '–' : `≤ ${row.within}, ${verdict(withinMet(row))}`
}

/** Puts the table, and where and when it was made, into the README beside this file. */
export function writeReadme(rows: readonly Row[]): void {
  const text = readFileSync(readme, 'utf8')
  const [before, after] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  if (after < before) throw new Error(`${readme} has no place for the results`)
  const made = `${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${cpus()[0]?.model.trim()}, one processor of ${cpus().length}`
  const missed = rows.filter((row) => !met(row)).map(({ name }) => `* ${name}`)
  const verdicts = missed.length > 0 ? `Missed:\n\n${missed.join('\n')}` : 'Every ask is met.'
  writeFileSync(
    readme,
    `${text.slice(0, before)}\n\n${made}.\n\n${table(rows)}\n\n${verdicts}\n\n${text.slice(after)}`,
  )
}

function askMet({ ask, timesAsFast }: Row): boolean {
  return ask === undefined || (timesAsFast?.median ?? 0) >= ask
}

function withinMet({ within, overLimit }: Row): boolean {
  return within === undefined || (overLimit?.median ?? Number.POSITIVE_INFINITY) <= within
}

function atMostMet({ atMost, ours }: Row): boolean {
  return atMost === undefined || ours.median <= atMost
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : '**missed**'
}

function range(spread: Spread | undefined): string {
  if (!spread) return '–'
  return `**${number(spread.median)}** (${number(spread.low)} to ${number(spread.high)})`
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value < 1 ? 2 : 3)
}
