/**
 * Writes the badges of README.md as files, so that they need no service.
 *
 *     node tools/badges.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface Manifest {
  readonly license: string
  readonly engines: { readonly node: string }
}

const manifest = JSON.parse(
  readFileSync(new URL('../packages/latchkey/package.json', import.meta.url), 'utf8'),
) as Manifest

/** The badges by file, each with its label and its value. */
const badges: Readonly<Record<string, readonly [label: string, value: string]>> = {
  license: ['license', manifest.license],
  node: ['Node.js', `${manifest.engines.node.replace('>=', '')} or later`],
  runtimes: ['also on', 'Bun, Deno, workerd'],
}

/** Returns the file and the SVG of each badge. */
export function badgeFiles(): { file: URL; svg: string }[] {
  return Object.entries(badges).map(([name, [label, value]]) => ({
    file: new URL(`../docs/images/badge-${name}.svg`, import.meta.url),
    svg: badge(label, value),
  }))
}

/** Pixels of a letter, of the space beside a text, and of the height. */
const [LETTER, SPACE, HEIGHT] = [6.6, 7, 20]

function badge(label: string, value: string): string {
  const [left, right] = [widthOf(label), widthOf(value)]
  const width = left + right
  const font = 'font-family="Verdana, DejaVu Sans, sans-serif" font-size="11"'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${label}: ${value}">
  <title>${label}: ${value}</title>
  <clipPath id="round"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>
  <g clip-path="url(#round)">
    <rect width="${left}" height="${HEIGHT}" fill="#474747"/>
    <rect x="${left}" width="${right}" height="${HEIGHT}" fill="#1d5fa8"/>
  </g>
  <g fill="#fff" text-anchor="middle" ${font}>
    <text x="${left / 2}" y="14" textLength="${left - 2 * SPACE}">${label}</text>
    <text x="${left + right / 2}" y="14" textLength="${right - 2 * SPACE}">${value}</text>
  </g>
</svg>
`
}

function widthOf(text: string): number {
  return Math.ceil(text.length * LETTER) + 2 * SPACE
}

if (import.meta.main) for (const { file, svg } of badgeFiles()) writeFileSync(file, svg)
