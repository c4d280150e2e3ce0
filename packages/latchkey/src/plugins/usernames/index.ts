/**
 * Names with which people sign in and are known to others.
 *
 * @module
 */

import {
  definePlugin,
  loadOnce,
  type PluginMethods,
  type PluginOption,
  refusedForms,
  SHORT_BODY,
  type UserNames,
  userIdOf,
  withCheckedArguments,
} from '../../entries/plugin.ts'
import { limitsOfPlugins } from '../../entries/plugin-limits.ts'
import type { Own } from './own.ts'
import { createRules } from './rules.ts'
import { settingsOf, type UsernamesOptions } from './settings.ts'
import { texts, type UsernamesKey } from './texts.ts'
import type { UsernamesApi } from './usernames-api.ts'

export type { UsernamesOptions } from './settings.ts'
export type { UsernamesApi } from './usernames-api.ts'

/**
 * Gives each user a name that nobody else has. Needs an adapter that stores records and counts attempts.
 *
 * @throws {TypeError} for an invalid option.
 */
export function usernames(options: UsernamesOptions = {}): PluginOption<'usernames', UsernamesApi> {
  const settings = settingsOf(options)
  const rules = createRules(settings)
  return definePlugin<'usernames', UsernamesApi, Own>({
    name: 'usernames',
    needs: ['adapter', 'records', 'attempts'],
    texts,
    refusedForms,
    problems: {
      username_taken: { status: 409, text: 'usernames:taken' },
      username_fixed: { status: 403, text: 'usernames:fixed' },
      username_too_early: { status: 429, text: 'usernames:later' },
    },
    routes,
    limits: { 'username.free': [{ by: 'network', limit: 30, window: 60 }] },
    brings: [limitsOfPlugins()],
    provides: ['userNames'],
    accountSections: [
      {
        path: 'account/username',
        label: 'usernames:title',
        about: 'usernames:about',
        icon: 'account',
        order: 15,
      },
    ],
    atEdge: () => ({ isWhole: true }),
    setUp(host) {
      const names = loadOnce(async () =>
        (await import('./names.ts')).createNames(host, settings, rules),
      )
      const own: Own = { host, settings, rules, names }
      return {
        own,
        api: withCheckedArguments('usernames', apiOf(own), loadArguments),
        provides: { userNames: userNamesOf(own) },
        beforeUserDelete: async (userId) => (await names()).allOf(userId),
        async onUserDelete(_, former) {
          await (await names()).forget(former as readonly string[])
        },
        listen: {
          async security({ type, reason, userId }) {
            // Whoever made the account before its address was proved chose the name, and may be somebody else.
            if (type === 'account.reset' && reason === 'unproved' && userId !== undefined)
              await (await names()).remove(userId)
          },
        },
      }
    },
  })
}

const routes: Readonly<Record<string, PluginMethods<Own>>> = {
  'usernames/free': {
    GET: {
      who: 'anyone',
      callers: 'scripts',
      limit: 'username.free',
      input: async () => (await import('./routes/free.ts')).input,
      run: async () => (await import('./routes/free.ts')).free,
    },
  },
  'usernames/set': {
    POST: {
      who: 'user',
      page: 'account/username',
      limit: 'username.free',
      bodyLimit: SHORT_BODY,
      input: async () => (await import('./routes/set.ts')).input,
      run: async () => (await import('./routes/set.ts')).set,
    },
  },
  'account/username': {
    GET: {
      who: 'user',
      input: async () => (await import('./routes/page.ts')).shownInput,
      run: async () => (await import('./routes/page.ts')).show,
    },
    POST: {
      who: 'user',
      limit: 'username.free',
      bodyLimit: SHORT_BODY,
      input: async () => (await import('./routes/page.ts')).input,
      run: async () => (await import('./routes/page.ts')).change,
    },
  },
}

function userNamesOf({ host, rules, names, settings }: Own): UserNames {
  const { least, most } = settings
  return {
    faultOf(name) {
      const code = rules.faultOf(name)
      if (code !== 'too_short' && code !== 'too_long') return code && { code }
      return { code, params: { count: code === 'too_short' ? least : most } }
    },
    async faultText(name, request) {
      const code = rules.faultOf(name)
      if (code === undefined) return undefined
      const { text } = await host.site.text<UsernamesKey>(request)
      return text(`usernames:${code}`, { count: code === 'too_short' ? least : most })
    },
    find: async (name) => (await names()).find(name),
    reserve: async (...asked) => (await names()).reserve(...asked),
    give: async (...asked) => (await names()).give(...asked),
    nameOf: async (userId) => (await names()).nameOf(userId),
  }
}

function apiOf({ host, rules, names }: Own): UsernamesApi {
  const userOf = async (who: Request | { userId: string }): Promise<string | undefined> =>
    who instanceof Request ? (await host.sessions.current(who))?.user.id : userIdOf(who)
  return {
    isFree: async (name) => (await names()).isFree(name),
    find: async (name) => (await (await names()).find(name)) ?? null,
    async nameOf(who) {
      const userId = await userOf(who)
      return (userId !== undefined && (await (await names()).nameOf(userId))) || null
    },
    async set(who, name) {
      const fault = rules.faultOf(name)
      const { invalidName, nameTaken } = await import('./refusals.ts')
      if (fault !== undefined) throw invalidName(name, fault)
      if (!(await (await names()).give(name, userIdOf(who)))) throw nameTaken(name)
    },
  }
}

async function loadArguments() {
  return (await import('./api-arguments.ts')).usernamesArguments
}
