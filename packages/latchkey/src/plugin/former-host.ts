import type { HostKeys, HostProviders, HostSessions, HostSite, HostWork } from './host-groups.ts'

/** The names of members of a host before they were grouped. They work until 1.0. */
export interface FormerHost extends FormerSite, FormerSessions, FormerKeys {}

interface FormerSite {
  /** @deprecated `site.basePath` */
  readonly basePath: HostSite['basePath']
  /** @deprecated `site.path` */
  path: HostSite['path']
  /** @deprecated `site.resolveRedirect` */
  resolveRedirect: HostSite['resolveRedirect']
  /** @deprecated `site.text` */
  text: HostSite['text']
  /** @deprecated `site.cookies` */
  cookies: HostSite['cookies']
  /** @deprecated `site.clientAddress` */
  clientAddress: HostSite['clientAddress']
  /** @deprecated `providers.client` */
  provider: HostProviders['client']
  /** @deprecated `providers.connect` */
  connect: HostProviders['connect']
  /** @deprecated `work.lease` */
  lease: HostWork['lease']
  /** @deprecated `work.background` */
  background: HostWork['background']
}

interface FormerSessions {
  /** @deprecated `sessions.current` */
  current: HostSessions['current']
  /** @deprecated `sessions.read` */
  session: HostSessions['read']
  /** @deprecated `sessions.needFresh` */
  needFresh: HostSessions['needFresh']
  /** @deprecated `sessions.renew` */
  renew: HostSessions['renew']
  /** @deprecated `sessions.establish` */
  establish: HostSessions['establish']
  /** @deprecated `sessions.resume` */
  resume: HostSessions['resume']
  /** @deprecated `sessions.beforeProof` */
  beforeProof: HostSessions['beforeProof']
  /** @deprecated `sessions.begin` */
  begin: HostSessions['begin']
  /** @deprecated `sessions.forget` */
  forget: HostSessions['forget']
  /** @deprecated `sessions.strategy` */
  strategy: HostSessions['strategy']
  /** @deprecated `sessions.longest` */
  longestSession: HostSessions['longest']
}

interface FormerKeys {
  /** @deprecated `keys.sealer` */
  sealer: HostKeys['sealer']
  /** @deprecated `keys.hash` */
  keyedHash: HostKeys['hash']
  /** @deprecated `keys.hashes` */
  keyedHashes: HostKeys['hashes']
  /** @deprecated `keys.derive` */
  derivedKeys: HostKeys['derive']
}
