import type { Host } from '../../entries/plugin.ts'
import { flowCookie, profilesOf } from '../../entries/plugin-accounts.ts'
import { warnWithoutLimits } from '../../entries/plugin-limits.ts'
import type { Own } from './own.ts'
import { createChanges, createUndos } from './records/addresses.ts'
import { createDeletionLinks } from './records/deletion-links.ts'
import { createDeletions } from './records/deletions.ts'
import { createLinkInfos, createPasskeyInfos } from './records/infos.ts'
import { createSecureLinks } from './records/secure-links.ts'
import type { Settings } from './settings.ts'

/** Creates what the routes share. */
export function createOwn(host: Host, settings: Settings): Own {
  if (!settings.limits) warnWithoutLimits('account', host)
  return {
    host,
    settings,
    profiles: profilesOf(host),
    passkeys: createPasskeyInfos(host),
    links: createLinkInfos(host),
    changes: createChanges(host),
    undos: createUndos(host),
    secureLinks: createSecureLinks(host),
    deletions: createDeletions(host),
    deletionLinks: createDeletionLinks(host),
    cookies: {
      confirm: flowCookie(host, 'address-confirm'),
      undo: flowCookie(host, 'address-undo'),
      secure: flowCookie(host, 'secure'),
      deletion: flowCookie(host, 'deletion'),
    },
    linking: flowCookie(host, 'link'),
  }
}
