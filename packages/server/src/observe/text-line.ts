import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

const styles: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red', fatal: 'red' }

/** Returns a line of the JSON log as readable text, for development. */
export function textLine(line: string): string {
  const { level, time, msg = '', ...members } = JSON.parse(line) as Record<string, unknown>
  const clock = String(time).slice(11, 19)
  const label = String(level)
  const text = msg === 'request' ? requestText(members) : `${String(msg)}${membersText(members)}`
  const style = styles[label]
  const mark = style === undefined ? '' : `${styleText(style, label)} `
  return `${styleText('dim', clock)} ${mark}${text}\n`
}

function requestText({
  id,
  method,
  path,
  status,
  outcome,
  error,
  ms,
}: Record<string, unknown>): string {
  const detail = error === undefined ? String(outcome) : `${String(outcome)} ${String(error)}`
  const text = `${String(method)} ${String(path)} ${String(status)} ${detail} ${String(ms)} ms`
  // The id is also in the header `x-request-id` of the answer, and in the lines of its errors.
  return id === undefined ? text : `${text} ${styleText('dim', `id=${String(id)}`)}`
}

function membersText(members: Record<string, unknown>): string {
  const { error, ...rest } = members
  const parts = Object.entries(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return `${parts.length > 0 ? ` ${parts.join(' ')}` : ''}${errorText(error)}`
}

/** Returns an error, its causes and the stack frames of each, indented below the line. */
function errorText(error: unknown, indent = '  '): string {
  if (typeof error !== 'object' || error === null)
    return error === undefined ? '' : ` ${String(error)}`
  const { name, message, stack, cause, err, ...rest } = error as Record<string, unknown>
  const head = name === undefined ? JSON.stringify(rest) : `${String(name)}: ${String(message)}`
  const frames = Array.isArray(stack)
    ? stack.slice(0, 4).map((frame) => `\n${indent}  ${String(frame)}`)
    : []
  const inner = err ?? cause
  return `\n${indent}${head}${frames.join('')}${inner === undefined ? '' : errorText(inner, `${indent}  `)}`
}
