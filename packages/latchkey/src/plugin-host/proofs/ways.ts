import type { TextValues } from '../../base/texts/catalogue.ts'
import type { PluginTexts } from '../../options/plugin-option.ts'
import type { PluginProofs, ProofWay } from '../../plugin/proofs.ts'
import type { PluginSet } from '../parts.ts'

/** A way with the texts of its plugin. */
export type WayOfPlugin = ProofWay & {
  readonly texts: PluginTexts
  /** Values of the places in the label. */
  readonly values?: TextValues | undefined
}

/** The ways of all plugins, at their first use. */
export interface AllProofs {
  readonly ways: readonly WayOfPlugin[]
  readonly proofs: readonly PluginProofs[]
}

/** Returns the ways of all plugins to prove one's identity again. */
export function allProofs({ plugins, partsOf }: PluginSet): () => AllProofs {
  let made: AllProofs | undefined
  return () => (made ??= collected())

  function collected(): AllProofs {
    const all = plugins.flatMap((plugin) => {
      const { proofs } = partsOf(plugin)
      return proofs ? [{ proofs, texts: plugin.texts ?? { en: {} } }] : []
    })
    return {
      ways: all.flatMap(({ proofs, texts }) => proofs.ways.map((way) => ({ ...way, texts }))),
      proofs: all.map(({ proofs }) => proofs),
    }
  }
}
