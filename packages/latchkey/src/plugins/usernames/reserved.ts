/** Names that people take for the site itself, for its staff, or for a path of it. */
const RESERVED = `
about abuse access account accounts admin administrator admins anonymous api app apps assets auth
authentication authorize billing blog bot callback cdn config contact cookie debug delete developer docs
domain download email error everyone ftp group groups guest guests health help home host hostmaster info
invite invoice latchkey legal list localhost log login logout mail mailbox mailer-daemon me moderator news
newsletter no-reply nobody noreply notifications null oauth official operator order owner passkey password
passwords payment pop postmaster privacy profile register registration reply root sales search security
service session sessions settings setup shop signin signout signup site smtp ssl staff static status sudo
support sysadmin system team terms test undefined unknown update user username users verify webmail webmaster
website wiki www you
`

/** Returns the built-in reserved names, in lower case. */
export function reservedNames(): readonly string[] {
  return RESERVED.trim().split(/\s+/)
}
