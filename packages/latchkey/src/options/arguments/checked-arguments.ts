import type { ArgumentsOf } from './arguments.ts'

/** Returns the functions of a plugin, which check their arguments first. */
export function withCheckedArguments<Api extends object>(
  plugin: string,
  api: Api,
  load: () => Promise<ArgumentsOf<Api>>,
): Api {
  const functions = Object.entries(api) as [keyof Api & string, (...given: unknown[]) => unknown][]
  return Object.fromEntries(
    functions.map(([name, run]) => [
      name,
      async (...given: unknown[]) => {
        const { checkArguments } = await import('./arguments.ts')
        checkArguments(`latchkey.api.${plugin}.${name}`, (await load())[name], given)
        return run(...given)
      },
    ]),
  ) as Api
}
