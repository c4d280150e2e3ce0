import { defineConfig } from 'vitest/config'
import { clauses } from './clauses.ts'

/** Runs the model, or the test of a clause, against the code without that clause, which `MODEL_WITHOUT` names. */
const name = process.env['MODEL_WITHOUT'] ?? ''
const clause = clauses[name]
if (!clause) throw new Error(`there is no clause ${JSON.stringify(name)}`)

const { foundBy } = clause
const isOfModel = typeof foundBy === 'string'

const conditions = ['source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['node'] } },
  plugins: [
    {
      name: 'without-a-clause',
      enforce: 'pre',
      transform(code, id) {
        if (!id.endsWith(`latchkey/src/${clause.file}`)) return undefined
        if (code.split(clause.find).length !== 2) {
          throw new Error(`${clause.file} does not have once what stands for ${name}`)
        }
        return code.replace(clause.find, () => clause.without)
      },
    },
  ],
  test: {
    // A stored module lacks the clause of an earlier run.
    fsModuleCache: false,
    include: [
      `packages/latchkey/${isOfModel ? 'tests/model/revocation/revocation.test.ts' : foundBy.file}`,
    ],
    reporters: ['default'],
    testNamePattern: isOfModel ? new RegExp(`: ${foundBy}$`) : foundBy.name,
  },
})
