import { expect, test } from 'vitest'
import { findLosses } from './check-output.ts'

const refused: Readonly<Record<string, string>> = {
  'a template within a template': 'export const f = (a) => `${`${a} b`}; use \\`c\\``',
  'a template in a sum within a template': 'export const f = (a) => `x ${"y" + `${a}`}`',
  'a template with an escape and the call of a function that returns one':
    'function g(a) { return `${a}` }\nexport const f = (a) => `use \\`x\\` ${g(a)}`',
  'a test for a private member': 'export class A { #a; static of(o) { return #a in o } }',
  'the flag v': 'export const r = /[a--b]/v',
  'flags within a regular expression': 'export const r = /(?i:a)b/',
  using: 'export function f(a) { using b = a }',
  'attributes of an import': 'export { default } from "./a.json" with { type: "json" }',
  'await outside of a function': 'export const a = await b()',
  'a static block': 'export class A { static { f() } }',
}

test.for(Object.entries(refused))('APP-1: refuses %s in the built code', ([, code]) => {
  expect(findLosses({ 'a.js': code })).not.toEqual([])
})

test('APP-1: recognizes a function that returns a template from another file', () => {
  const files = {
    'a.js': 'export const name = (a) => `${a}`',
    'b.js': 'import { name } from "./a.js"\nexport const f = (a) =>\n`\\`x\\` ${name(a)}`',
  }
  expect(findLosses(files)).toEqual([expect.stringMatching(/^b\.js:3: .* calls name/)])
})

test('APP-1: accepts templates without another one, tagged templates, and ES2022', () => {
  const code = `
    class A { #a = 1; get a() { return this.#a ?? null } }
    const name = (a) => \`\${a}\`
    export const plain = (a, g) => \`use \\\`x\\\` \${a} \${g(\`\${a}\`)}\`
    export const called = (a) => \`no escape \${name(a)}\`
    export const tagged = (html, a) => html\`<p class="\${\`\${a}\`}">\\\`\`
    export const f = async (a) => { a ||= await a; for await (const b of a) return b?.at(-1) }
    export { A }`
  expect(findLosses({ 'a.js': code })).toEqual([])
})
