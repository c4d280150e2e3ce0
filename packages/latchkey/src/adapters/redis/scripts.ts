/**
 * Each operation of the adapter is one script, so it is atomic. A result is a number, a word, or a stored text after
 * `=`, which clients that parse results as JSON do not change.
 *
 * `KEYS` are the keys that are known before the script runs. Keys that depend on stored values have the same prefix.
 * With a hash tag in the prefix they are in the same slot of a cluster.
 */

/** `ARGV[1]` is the prefix of all keys. */
const PRELUDE = `
local prefix = ARGV[1]

local function escape(part)
  return (part:gsub('[%%:]', { ['%'] = '%25', [':'] = '%3A' }))
end

local function exists(key)
  return redis.call('EXISTS', key) == 1
end

local function userKey(id)
  return prefix .. 'user:' .. escape(id)
end

local function stored(text)
  return text and '=' .. text or ''
end

local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Redis removes entries late: the adapter decides whether they have expired.
local function forgottenAt(expires)
  return string.format('%.0f', math.max(tonumber(expires), milliseconds()) + 3600000)
end

-- Sorted sets list the entries of a user. Other adapters stored one key, or a list of ids.
local function open(index)
  if redis.call('TYPE', index)['ok'] ~= 'string' then return end
  local text = redis.call('GET', index)
  redis.call('DEL', index)
  local members = { text }
  if text:sub(1, 1) == '[' then
    members = cjson.decode(text)
    for place, id in ipairs(members) do members[place] = prefix .. 'authenticator:' .. escape(id) end
  end
  for _, member in ipairs(members) do redis.call('ZADD', index, 'inf', member) end
end

-- In the order of insertion.
local function append(index, member)
  open(index)
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
  redis.call('ZADD', index, last and last + 1 or 0, member)
end

-- Until Redis removes them. The index is removed with the last one.
local function appendUntil(index, member, time)
  open(index)
  redis.call('ZADD', index, time, member)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. string.format('%.0f', milliseconds()))
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')[2]
  if not last then return end
  if last == 'inf' then redis.call('PERSIST', index) else redis.call('PEXPIREAT', index, last) end
end

local function members(index)
  open(index)
  return redis.call('ZRANGE', index, 0, -1)
end

-- Calls visit with each listed entry that exists and belongs to the user.
local function each(index, userId, visit)
  for _, key in ipairs(members(index)) do
    local text = redis.call('GET', key)
    if not text then
      redis.call('ZREM', index, key)
    elseif cjson.decode(text).userId == userId then
      visit(key, text)
    end
  end
end

-- Removes some entries that expired long ago, so that an index does not grow without cleanup.
local function tidy(index)
  local before = '(' .. string.format('%.0f', milliseconds() - 7200000)
  local gone = redis.call('ZRANGEBYSCORE', index, '-inf', before, 'LIMIT', 0, 4)
  for _, key in ipairs(gone) do
    if not exists(key) then redis.call('ZREM', index, key) end
  end
end

-- Stores an entry that expires, and lists it by expiry and by user.
local function keep(key, text, expires, all, owned)
  local time = forgottenAt(expires)
  redis.call('SET', key, text)
  redis.call('PEXPIREAT', key, time)
  redis.call('ZADD', all, expires, key)
  appendUntil(owned, key, time)
  tidy(all)
end

-- Returns the owner of an address. Other adapters kept the keys of earlier addresses.
local function ownerOf(emailKey, address)
  local id = redis.call('GET', emailKey)
  local text = id and redis.call('GET', userKey(id))
  return text and cjson.decode(text).email == address and id
end
`

/** Records are hashes. Indexes list them by kind, by user, and by the time when they expire. */
const RECORDS = `
local expiring = prefix .. 'records:expiring'

local function removeRecord(member)
  local key = prefix .. 'record:' .. member
  local kind, name = member:match('^([^:]*):(.*)$')
  local userId = redis.call('HGET', key, 'userId')
  redis.call('DEL', key)
  redis.call('ZREM', expiring, member)
  redis.call('ZREM', prefix .. 'records:of-kind:' .. kind, name)
  if userId then redis.call('ZREM', prefix .. 'records:of-user:' .. userId, member) end
end

local function setEnd(key, member, expires)
  if expires == '' then
    redis.call('HDEL', key, 'expires')
    redis.call('ZREM', expiring, member)
  else
    redis.call('HSET', key, 'expires', expires)
    redis.call('ZADD', expiring, expires, member)
  end
end

-- data, version, createdAt, expires, userId
local function addRecord(found, key)
  local fields = redis.call('HMGET', key, 'data', 'version', 'createdAt', 'expires', 'userId')
  if not fields[1] then return false end
  for place = 1, 5 do found[#found + 1] = stored(fields[place]) end
  return true
end
`

function script(source: string): string {
  return PRELUDE + source
}

function recordScript(source: string): string {
  return script(RECORDS + source)
}

/** `key` → the stored text. */
export const read: string = script(`
return stored(redis.call('GET', KEYS[1]))
`)

/** `key`; the expected text, the new text → `done`, or `again` if the stored text is another one. */
export const replace: string = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 'again' end
redis.call('SET', KEYS[1], ARGV[3], 'KEEPTTL')
return 'done'
`)

/** `user`, `all users`, `email`?; id, text, address → `done`, or the key that exists. */
export const createUser: string = script(`
if exists(KEYS[1]) then return 'user' end
if KEYS[3] then
  if ownerOf(KEYS[3], ARGV[4]) then return 'user.email' end
  redis.call('SET', KEYS[3], ARGV[2])
end
redis.call('SET', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[2], 0, ARGV[2])
return 'done'
`)

/** `email`; address → the user. */
export const userByEmail: string = script(`
local id = ownerOf(KEYS[1], ARGV[2])
return stored(id and redis.call('GET', userKey(id)))
`)

/** `account`; provider, provider account id → the user. */
export const userByAccount: string = script(`
local text = redis.call('GET', KEYS[1])
local account = text and cjson.decode(text)
if not account or account.provider ~= ARGV[2] or account.providerAccountId ~= ARGV[3] then return '' end
return stored(redis.call('GET', userKey(account.userId)))
`)

/**
 * `user`, `all users`, `old email`, `new email`; id, the expected text, the new text, the address → `done`, `again`, or
 * the key that exists. Without an address, its key is the key of the user.
 */
export const updateUser: string = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[3] then return 'again' end
if KEYS[4] ~= KEYS[1] then
  local owner = ownerOf(KEYS[4], ARGV[5])
  if owner and owner ~= ARGV[2] then return 'user.email' end
end
if KEYS[3] ~= KEYS[1] and redis.call('GET', KEYS[3]) == ARGV[2] then redis.call('DEL', KEYS[3]) end
if KEYS[4] ~= KEYS[1] then redis.call('SET', KEYS[4], ARGV[2]) end
redis.call('SET', KEYS[1], ARGV[4])
redis.call('ZADD', KEYS[2], 0, ARGV[2])
return 'done'
`)

/**
 * `user`, `all users`, `all sessions`, `all tokens`, `accounts`, `sessions`, `authenticators`, `records`;
 * id → the user.
 */
export const deleteUser: string = recordScript(`
for _, member in ipairs(redis.call('ZRANGE', KEYS[8], 0, -1)) do removeRecord(member) end
redis.call('DEL', KEYS[8])
for _, index in ipairs({ KEYS[5], KEYS[6], KEYS[7] }) do
  each(index, ARGV[2], function(key)
    redis.call('DEL', key)
    redis.call('ZREM', KEYS[3], key)
  end)
  redis.call('DEL', index)
end
redis.call('ZREM', KEYS[2], ARGV[2])
local text = redis.call('GET', KEYS[1])
if not text then return '' end
redis.call('DEL', KEYS[1])
local address = cjson.decode(text).email
if type(address) ~= 'string' then return stored(text) end
local emailKey = prefix .. 'user:email:' .. address
if redis.call('GET', emailKey) == ARGV[2] then redis.call('DEL', emailKey) end
local tokens = prefix .. 'user:token:by-identifier:' .. address
for _, key in ipairs(redis.call('ZRANGE', tokens, 0, -1)) do
  redis.call('DEL', key)
  redis.call('ZREM', KEYS[4], key)
end
redis.call('DEL', tokens)
return stored(text)
`)

/** `user`, `record`, `index of the user`; text → `done`, `missing` or `taken`. */
export const createOwned: string = script(`
if not exists(KEYS[1]) then return 'missing' end
local before = redis.call('GET', KEYS[2])
-- An entry whose user was deleted can be replaced.
if before and exists(userKey(cjson.decode(before).userId)) then return 'taken' end
redis.call('SET', KEYS[2], ARGV[2])
append(KEYS[3], KEYS[2])
return 'done'
`)

/** `account`; provider, provider account id → the account. */
export const unlinkAccount: string = script(`
local text = redis.call('GET', KEYS[1])
local account = text and cjson.decode(text)
if not account or account.provider ~= ARGV[2] or account.providerAccountId ~= ARGV[3] then return '' end
redis.call('DEL', KEYS[1])
local accounts = prefix .. 'user:account:by-user-id:' .. account.userId
open(accounts)
redis.call('ZREM', accounts, KEYS[1])
if account.type == 'webauthn' then
  local key = prefix .. 'authenticator:' .. escape(account.providerAccountId)
  local authenticator = redis.call('GET', key)
  if authenticator and cjson.decode(authenticator).userId == account.userId then
    redis.call('DEL', key)
    local authenticators = prefix .. 'authenticator:by-user-id:' .. account.userId
    open(authenticators)
    redis.call('ZREM', authenticators, key)
  end
end
return stored(text)
`)

/** `index of a user`; user id → all entries. */
export const list: string = script(`
local found = {}
each(KEYS[1], ARGV[2], function(_, text) found[#found + 1] = stored(text) end)
return found
`)

/** `user`, `session`, `all sessions`, `sessions`; text, expires → `done`, `missing` or `taken`. */
export const createSession: string = script(`
if not exists(KEYS[1]) then return 'missing' end
if exists(KEYS[2]) then return 'taken' end
keep(KEYS[2], ARGV[2], ARGV[3], KEYS[3], KEYS[4])
return 'done'
`)

/** `session` → the session and its user, or neither. */
export const sessionAndUser: string = script(`
local session = redis.call('GET', KEYS[1])
local user = session and redis.call('GET', userKey(cjson.decode(session).userId))
if not user then return {} end
return { stored(session), stored(user) }
`)

/**
 * `session`, `new key`, `all sessions`, `sessions`; the expected text, the new text, expires → `done`, `again` or
 * `taken`.
 */
export const changeSession: string = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 'again' end
if KEYS[1] ~= KEYS[2] then
  if exists(KEYS[2]) then return 'taken' end
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[3], KEYS[1])
  open(KEYS[4])
  redis.call('ZREM', KEYS[4], KEYS[1])
end
keep(KEYS[2], ARGV[3], ARGV[4], KEYS[3], KEYS[4])
return 'done'
`)

/** `session`, `all sessions` → the session. Of concurrent calls, exactly one receives it. */
export const takeSession: string = script(`
local text = redis.call('GET', KEYS[1])
if not text then return '' end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], KEYS[1])
local sessions = prefix .. 'user:session:by-user-id:' .. cjson.decode(text).userId
open(sessions)
redis.call('ZREM', sessions, KEYS[1])
return stored(text)
`)

/** `sessions`, `all sessions`, `session to keep`; user id → the number of ended sessions. */
export const endSessions: string = script(`
local ended = 0
each(KEYS[1], ARGV[2], function(key)
  if key == KEYS[3] then return end
  redis.call('DEL', key)
  redis.call('ZREM', KEYS[1], key)
  redis.call('ZREM', KEYS[2], key)
  ended = ended + 1
end)
return ended
`)

/** `token`, `all tokens`, `tokens of the identifier`; text, expires → `done` or `taken`. */
export const createToken: string = script(`
if exists(KEYS[1]) then return 'taken' end
keep(KEYS[1], ARGV[2], ARGV[3], KEYS[2], KEYS[3])
return 'done'
`)

/** `token`, `all tokens`, `tokens of the identifier` → the token. Of concurrent calls, exactly one receives it. */
export const takeToken: string = script(`
local text = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], KEYS[1])
redis.call('ZREM', KEYS[3], KEYS[1])
return stored(text)
`)

/** `attempts`; limit, now, expires → 1 if it was counted. */
export const countAttempt: string = script(`
local counting = {}
for _, expires in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if tonumber(expires) > tonumber(ARGV[3]) then counting[#counting + 1] = expires end
end
if #counting >= tonumber(ARGV[2]) then return 0 end
counting[#counting + 1] = ARGV[4]
redis.call('DEL', KEYS[1])
local last = 0
for _, expires in ipairs(counting) do
  redis.call('RPUSH', KEYS[1], expires)
  last = math.max(last, tonumber(expires))
end
redis.call('PEXPIREAT', KEYS[1], forgottenAt(last))
return 1
`)

/** `lease`; now, expires → the fencing number, or 0 if the lease is held. The number outlives the lease. */
export const acquireLease: string = script(`
local expires = redis.call('HGET', KEYS[1], 'expires')
if expires and tonumber(expires) > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'expires', ARGV[3])
return redis.call('HINCRBY', KEYS[1], 'number', 1)
`)

/** `all sessions`, `all tokens`, `expiring records`; now, batch → the highest number removed of a kind. */
export const cleanup: string = recordScript(`
local function over(all)
  return redis.call('ZRANGEBYSCORE', all, '-inf', '(' .. ARGV[2], 'LIMIT', 0, ARGV[3])
end
local function remove(all, key, owned)
  redis.call('DEL', key)
  redis.call('ZREM', all, key)
  open(owned)
  redis.call('ZREM', owned, key)
end
local sessions = over(KEYS[1])
for _, key in ipairs(sessions) do
  local text = redis.call('GET', key)
  local owner = text and cjson.decode(text).userId or ''
  remove(KEYS[1], key, prefix .. 'user:session:by-user-id:' .. owner)
end
local tokens = over(KEYS[2])
for _, key in ipairs(tokens) do
  local text = redis.call('GET', key)
  local identifier = text and cjson.decode(text).identifier or ''
  remove(KEYS[2], key, prefix .. 'user:token:by-identifier:' .. identifier)
end
local records = over(KEYS[3])
for _, member in ipairs(records) do removeRecord(member) end
return math.max(#sessions, #tokens, #records)
`)

/** `all users`; the last id of the previous page or nothing, limit → ids after `=`, alternating with users. */
export const listUsers: string = script(`
local after = ARGV[2] == '' and '-' or '(' .. ARGV[2]:sub(2)
local found = {}
for _, id in ipairs(redis.call('ZRANGEBYLEX', KEYS[1], after, '+', 'LIMIT', 0, ARGV[3])) do
  found[#found + 1] = stored(id)
  found[#found + 1] = stored(redis.call('GET', userKey(id)))
end
return found
`)

/** `record` → its fields, or nothing. */
export const getRecord: string = recordScript(`
local found = {}
addRecord(found, KEYS[1])
return found
`)

/**
 * `record`, `index of the kind`, `expiring records`, `index of the user`?; member, key, now, data, version, createdAt,
 * expires, user id → 1 if it was created.
 */
export const createRecord: string = recordScript(`
-- Removes some records that expired long ago, so that the index does not grow without cleanup.
local long = '(' .. string.format('%.0f', milliseconds() - 3600000)
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', long, 'LIMIT', 0, 4)) do
  removeRecord(member)
end
if exists(KEYS[1]) then
  local expires = redis.call('HGET', KEYS[1], 'expires')
  if not expires or tonumber(expires) > tonumber(ARGV[4]) then return 0 end
  removeRecord(ARGV[2])
end
redis.call('HSET', KEYS[1], 'data', ARGV[5], 'version', ARGV[6], 'createdAt', ARGV[7])
redis.call('ZADD', KEYS[2], 0, ARGV[3])
setEnd(KEYS[1], ARGV[2], ARGV[8])
if KEYS[4] then
  redis.call('HSET', KEYS[1], 'userId', ARGV[9])
  redis.call('ZADD', KEYS[4], 0, ARGV[2])
end
return 1
`)

/** `record`, `expiring records`; member, the previous version, data, version, expires → 1 if it was replaced. */
export const replaceRecord: string = recordScript(`
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'data', ARGV[4], 'version', ARGV[5])
setEnd(KEYS[1], ARGV[2], ARGV[6])
return 1
`)

/** `record`, `expiring records`; member → the fields. Of concurrent calls, exactly one receives them. */
export const takeRecord: string = recordScript(`
local found = {}
if addRecord(found, KEYS[1]) then removeRecord(ARGV[2]) end
return found
`)

/**
 * `index of the kind or of the user`; kind, prefix of the members, the last key of the previous page or nothing, limit
 * → the `next` of the page or nothing, then keys and fields in turn.
 */
export const listRecords: string = recordScript(`
local kind, start, limit = ARGV[2], ARGV[3], tonumber(ARGV[5])
local from = ARGV[4] == '' and '[' .. start or '(' .. start .. ARGV[4]:sub(2)
-- A semicolon follows a colon in the order of bytes.
local to = start == '' and '+' or '(' .. kind .. ';'
local members = redis.call('ZRANGEBYLEX', KEYS[1], from, to, 'LIMIT', 0, limit + 1)
local found = { '' }
for place, member in ipairs(members) do
  local key = member:sub(#start + 1)
  if place == limit then found[1] = #members > limit and stored(key) or '' end
  if place > limit then break end
  found[#found + 1] = stored(key)
  if not addRecord(found, prefix .. 'record:' .. kind .. ':' .. key) then found[#found] = nil end
end
return found
`)
