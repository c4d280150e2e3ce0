import type { TextTable } from '../../entries/plugin.ts'

/** The built-in languages besides English, each loaded when it is first needed. */
export const loaders: Readonly<Record<string, () => Promise<TextTable>>> = {
  ar: async () => (await import('./languages/ar.ts')).texts,
  de: async () => (await import('./languages/de.ts')).texts,
  es: async () => (await import('./languages/es.ts')).texts,
  fr: async () => (await import('./languages/fr.ts')).texts,
  ja: async () => (await import('./languages/ja.ts')).texts,
  pt: async () => (await import('./languages/pt.ts')).texts,
  'zh-Hans': async () => (await import('./languages/zh-hans.ts')).texts,
}
