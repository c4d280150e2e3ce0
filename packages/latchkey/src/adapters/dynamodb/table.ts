import type { Check, Delete, DynamoDBClient, Item, Put, Query, Step, Update } from './client.ts'
import type { Key } from './keys.ts'

/** The names of a table. */
export interface Layout {
  readonly tableName: string
  readonly partitionKey: string
  readonly sortKey: string
}

/** A condition on the stored item. `#name` and `:name` stand for attributes and values. */
export interface Condition {
  readonly condition: string
  readonly values?: Item
}

/** Attributes to set. Attributes that are `undefined` are removed. */
export type Changes = Readonly<Record<string, unknown>>

/** One part of a change. `undo` reverts it if the endpoint has no transactions. */
export interface Part {
  readonly step: Step
  readonly undo?: () => Promise<unknown>
}

export const ABSENT: Condition = { condition: 'attribute_not_exists(#partition)' }
const PRESENT: Condition = { condition: 'attribute_exists(#partition)' }

/** A table that is used through a client. */
export class Table {
  readonly #client: DynamoDBClient
  readonly #layout: Layout
  readonly #transactions: boolean

  constructor(client: DynamoDBClient, layout: Layout, transactions: boolean) {
    this.#client = client
    this.#layout = layout
    this.#transactions = transactions
  }

  async get(key: Key): Promise<Item | undefined> {
    const { Item } = await this.#client.get({
      TableName: this.#layout.tableName,
      Key: this.#key(key),
      ConsistentRead: true,
    })
    return Item
  }

  /** @returns whether the condition was true and the item was stored. */
  async put(key: Key, item: Item, condition?: Condition): Promise<boolean> {
    return (
      (await ifConditionHolds(() => this.#client.put(this.#put(key, item, condition)))) !== null
    )
  }

  /** @returns the new item; `null` if the condition was false. */
  async update(key: Key, changes: Changes, condition: Condition = PRESENT): Promise<Item | null> {
    const update = { ...this.#update(key, changes, condition), ReturnValues: 'ALL_NEW' } as const
    const done = await ifConditionHolds(() => this.#client.update(update))
    return done ? (done.Attributes ?? {}) : null
  }

  /** Adds one to a number and sets other attributes. @returns as {@link update}. */
  async increment(
    key: Key,
    name: string,
    changes: Changes,
    condition: Condition,
  ): Promise<Item | null> {
    const update = this.#update(key, changes, condition)
    const done = await ifConditionHolds(() =>
      this.#client.update({
        ...update,
        UpdateExpression: `${update.UpdateExpression} ADD #increment :one`,
        ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#increment': name },
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return done ? (done.Attributes ?? {}) : null
  }

  /** @returns the removed item. Of concurrent calls, exactly one receives it. */
  async remove(key: Key): Promise<Item | null> {
    const { Attributes } = await this.#client.delete({
      TableName: this.#layout.tableName,
      Key: this.#key(key),
      ReturnValues: 'ALL_OLD',
    })
    return Attributes ?? null
  }

  /**
   * Returns the items of a partition whose sort keys have a prefix, page by page.
   *
   * @param after the rest of the sort key after which it begins.
   */
  async *partition(
    partition: string,
    beginning: string,
    after?: string,
  ): AsyncGenerator<Item, void> {
    const { tableName, partitionKey, sortKey } = this.#layout
    const start = after === undefined ? undefined : { partition, sort: beginning + after }
    yield* this.#pages(
      {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: '#partition = :partition AND begins_with(#sort, :beginning)',
        ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
        ExpressionAttributeValues: { ':partition': partition, ':beginning': beginning },
      },
      start && this.#key(start),
    )
  }

  /** Returns the items with a key of an index, which may be out of date. */
  async *index(index: IndexLayout, key: Key): AsyncGenerator<Item, void> {
    yield* this.#pages({
      TableName: this.#layout.tableName,
      IndexName: index.name,
      KeyConditionExpression: '#partition = :partition AND #sort = :sort',
      ExpressionAttributeNames: { '#partition': index.partitionKey, '#sort': index.sortKey },
      ExpressionAttributeValues: { ':partition': key.partition, ':sort': key.sort },
    })
  }

  async *#pages(query: Query, after?: Item): AsyncGenerator<Item, void> {
    let start = after
    do {
      const page = await this.#client.query({
        ...query,
        ...(start ? { ExclusiveStartKey: start } : {}),
      })
      yield* page.Items ?? []
      start = page.LastEvaluatedKey
    } while (start)
  }

  /** Returns the matching items of the table in a stable order. It reads the whole table. */
  async *scan(filter: string, names: string[], values: Item, after?: Key): AsyncGenerator<Item> {
    let start = after && this.#key(after)
    do {
      const page = await this.#client.scan({
        TableName: this.#layout.tableName,
        ConsistentRead: true,
        FilterExpression: filter,
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: colons(values),
        ...(start ? { ExclusiveStartKey: start } : {}),
      })
      yield* page.Items ?? []
      start = page.LastEvaluatedKey
    } while (start)
  }

  keyOf(item: Item): Key {
    const { partitionKey, sortKey } = this.#layout
    return { partition: String(item[partitionKey]), sort: String(item[sortKey]) }
  }

  putting(key: Key, item: Item, condition: Condition): Part {
    return { step: { Put: this.#put(key, item, condition) }, undo: () => this.remove(key) }
  }

  removing(key: Key, condition?: Condition): Part {
    return {
      step: {
        Delete: {
          TableName: this.#layout.tableName,
          Key: this.#key(key),
          ...this.#condition(condition),
        },
      },
    }
  }

  updating(key: Key, changes: Changes, condition: Condition): Part {
    return { step: { Update: this.#update(key, changes, condition) } }
  }

  checking(key: Key, condition: Condition): Part {
    return {
      step: {
        ConditionCheck: {
          TableName: this.#layout.tableName,
          Key: this.#key(key),
          ...this.#condition(condition),
        } as Check,
      },
    }
  }

  /**
   * Makes all changes or none, if the endpoint has transactions. Otherwise, it makes them one after the other, with the
   * checks at the end, and reverts what it put if a later one fails.
   *
   * @returns the index of a part whose condition was false; `undefined` if all succeeded.
   */
  commit(parts: readonly Part[]): Promise<number | undefined> {
    return this.#transactions ? this.#together(parts) : this.#inTurn(parts)
  }

  async #together(parts: readonly Part[]): Promise<number | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#client.transactWrite({ TransactItems: parts.map(({ step }) => step) })
        return undefined
      } catch (error) {
        const reasons = cancellationReasons(error)
        const refused = reasons.indexOf('ConditionalCheckFailed')
        if (refused >= 0) return refused
        if (attempt === MAX_ATTEMPTS || !reasons.includes('TransactionConflict')) throw error
        await new Promise((resolve) => setTimeout(resolve, 5 * 2 ** attempt))
      }
    }
  }

  async #inTurn(parts: readonly Part[]): Promise<number | undefined> {
    const checksLast = [...parts.filter(isWrite), ...parts.filter((part) => !isWrite(part))]
    const done: Part[] = []
    try {
      for (const part of checksLast) {
        if (!(await this.#do(part.step))) {
          await revert(done)
          return parts.indexOf(part)
        }
        done.push(part)
      }
    } catch (error) {
      await revert(done)
      throw error
    }
    return undefined
  }

  async #do({ Put, Delete, Update, ConditionCheck }: Step): Promise<boolean> {
    const done = await ifConditionHolds(async () => {
      if (Put) await this.#client.put(Put)
      if (Delete) await this.#client.delete({ ...Delete, ReturnValues: 'ALL_OLD' })
      if (Update) await this.#client.update({ ...Update, ReturnValues: 'ALL_NEW' })
      if (ConditionCheck) await this.#check(ConditionCheck)
      return true
    })
    return done !== null
  }

  /** Checks a condition with an update that changes nothing. */
  async #check(check: Check): Promise<void> {
    await this.#client.update({
      ...check,
      UpdateExpression: 'REMOVE #nothing',
      ExpressionAttributeNames: {
        ...check.ExpressionAttributeNames,
        '#nothing': 'latchkeyNothing',
      },
      ReturnValues: 'ALL_NEW',
    })
  }

  #key({ partition, sort }: Key): Item {
    return { [this.#layout.partitionKey]: partition, [this.#layout.sortKey]: sort }
  }

  #put(key: Key, item: Item, condition?: Condition): Put {
    return {
      TableName: this.#layout.tableName,
      Item: { ...item, ...this.#key(key) },
      ...this.#condition(condition),
    }
  }

  #update(key: Key, changes: Changes, condition: Condition): Update {
    const names: Record<string, string> = {}
    const values: Item = {}
    const set: string[] = []
    const remove: string[] = []
    for (const [index, [name, value]] of Object.entries(changes).entries()) {
      names[`#n${index}`] = name
      if (value === undefined) remove.push(`#n${index}`)
      else {
        values[`:v${index}`] = value
        set.push(`#n${index} = :v${index}`)
      }
    }
    const base = this.#condition(condition)
    const all = { ...base.ExpressionAttributeValues, ...values }
    return {
      ...base,
      TableName: this.#layout.tableName,
      Key: this.#key(key),
      UpdateExpression: [
        ...(set.length > 0 ? [`SET ${set.join(', ')}`] : []),
        ...(remove.length > 0 ? [`REMOVE ${remove.join(', ')}`] : []),
      ].join(' '),
      ExpressionAttributeNames: { ...base.ExpressionAttributeNames, ...names },
      ...(Object.keys(all).length > 0 ? { ExpressionAttributeValues: all } : {}),
    }
  }

  #condition(condition: Condition | undefined): Pick<Delete, ConditionMembers> {
    if (!condition) return {}
    const used = [...condition.condition.matchAll(/#(\w+)/g)].map(([, name = '']) => name)
    const { partitionKey, sortKey } = this.#layout
    const meaning: Record<string, string> = { partition: partitionKey, sort: sortKey }
    return {
      ConditionExpression: condition.condition,
      ExpressionAttributeNames: Object.fromEntries(
        used.map((name) => [`#${name}`, meaning[name] ?? name]),
      ),
      ...(condition.values ? { ExpressionAttributeValues: colons(condition.values) } : {}),
    }
  }
}

type ConditionMembers =
  | 'ConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'

/** An index by which other adapters find their items. */
export interface IndexLayout {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string
}

/** How often a transaction that collides with another one is tried. */
const MAX_ATTEMPTS = 8

function isWrite({ step }: Part): boolean {
  return !step.ConditionCheck
}

/** Reverts all parts or none: a removed item must not lose the items that were put for it. */
async function revert(done: readonly Part[]): Promise<void> {
  if (done.some(({ undo }) => undo === undefined)) return
  for (const { undo } of done.toReversed()) await undo?.()
}

function colons(values: Item): Item {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]))
}

/** @returns `null` if the condition was false. */
async function ifConditionHolds<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return null
    throw error
  }
}

function cancellationReasons(error: unknown): string[] {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return []
  const { CancellationReasons: reasons = [] } = error as {
    CancellationReasons?: { Code?: string }[]
  }
  return reasons.map(({ Code = '' }) => Code)
}
