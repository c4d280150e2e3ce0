import type { Call, PluginMethods } from '../../entries/plugin.ts'
import type { LoadOwn } from './routes.ts'
import type { OwnSection } from './sections.ts'

/** Returns the routes of the sections of an application. */
export function sectionRoutes(
  sections: readonly OwnSection[],
): Readonly<Record<string, PluginMethods<LoadOwn>>> {
  return Object.fromEntries(
    sections.flatMap((section) => {
      const { id, actions = {} } = section
      const page: PluginMethods<LoadOwn> = {
        GET: {
          who: 'user',
          input: async () => (await import('./routes/sections.ts')).shownInput,
          run: async () => {
            const { show } = await import('./routes/sections.ts')
            return async (call: Call<{ readonly done?: string }>, own: LoadOwn) =>
              show(call, section, await own())
          },
        },
      }
      const acting = Object.entries(actions).map(([name, act]) => {
        const methods: PluginMethods<LoadOwn> = {
          POST: {
            who: 'user',
            input: async () => (await import('./routes/sections.ts')).sentInput,
            run: async () => {
              const { run } = await import('./routes/sections.ts')
              return async (call: Call<Readonly<Record<string, string>>>, own: LoadOwn) =>
                run(call, { section, name, act }, await own())
            },
          },
        }
        return [`account/${id}/${name}`, methods] as const
      })
      return [[`account/${id}`, page] as const, ...acting]
    }),
  )
}
