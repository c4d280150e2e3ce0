import type { Check, Delete, DynamoDBClient, Item, Put, Query, Step, Update } from './client.ts'
import type { Key } from './keys.ts'

/** How a table is laid out. */
export interface Layout {
  readonly tableName: string
  readonly partitionKey: string
  readonly sortKey: string
}

/** A condition on what is stored under a key; `#name` and `:name` stand for members and values. */
export interface Condition {
  readonly condition: string
  readonly values?: Item
}

/** Members to set; those that are `undefined` are removed. */
export type Changes = Readonly<Record<string, unknown>>

/** One part of a change: `undo` takes it back where there are no transactions. */
export interface Part {
  readonly step: Step
  readonly undo?: () => Promise<unknown>
}

export const ABSENT: Condition = { condition: 'attribute_not_exists(#partition)' }
const PRESENT: Condition = { condition: 'attribute_exists(#partition)' }

/** One table through one client. */
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

  /** @returns whether the condition held, and so it was done. */
  async put(key: Key, item: Item, condition?: Condition): Promise<boolean> {
    return (await ifHeld(() => this.#client.put(this.#put(key, item, condition)))) !== null
  }

  /** @returns what is stored then; `null` when the condition did not hold. */
  async update(key: Key, changes: Changes, condition: Condition = PRESENT): Promise<Item | null> {
    const update = { ...this.#update(key, changes, condition), ReturnValues: 'ALL_NEW' } as const
    const done = await ifHeld(() => this.#client.update(update))
    return done ? (done.Attributes ?? {}) : null
  }

  /** Adds one to a number, and sets other members. @returns as {@link update}. */
  async increment(
    key: Key,
    name: string,
    changes: Changes,
    condition: Condition,
  ): Promise<Item | null> {
    const update = this.#update(key, changes, condition)
    const done = await ifHeld(() =>
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

  /** @returns what was removed; of many that remove it, one gets it. */
  async remove(key: Key): Promise<Item | null> {
    const { Attributes } = await this.#client.delete({
      TableName: this.#layout.tableName,
      Key: this.#key(key),
      ReturnValues: 'ALL_OLD',
    })
    return Attributes ?? null
  }

  /**
   * All of a partition whose sort key begins so, page by page.
   *
   * @param after what follows the beginning in the sort key behind which to begin.
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

  /** All with this key in an index, which may be late. */
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

  /** All of the table that fits, in an order that stays. Reads the whole of it. */
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
   * Does all parts or none, if the endpoint has transactions. Without them, one after the other, and
   * takes back what was put when a later one cannot be done; checks are made at the end.
   *
   * @returns the place of a part whose condition did not hold; `undefined` when all are done.
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
        if (attempt === PATIENCE || !reasons.includes('TransactionConflict')) throw error
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
          await takeBack(done)
          return parts.indexOf(part)
        }
        done.push(part)
      }
    } catch (error) {
      await takeBack(done)
      throw error
    }
    return undefined
  }

  async #do({ Put, Delete, Update, ConditionCheck }: Step): Promise<boolean> {
    const done = await ifHeld(async () => {
      if (Put) await this.#client.put(Put)
      if (Delete) await this.#client.delete({ ...Delete, ReturnValues: 'ALL_OLD' })
      if (Update) await this.#client.update({ ...Update, ReturnValues: 'ALL_NEW' })
      if (ConditionCheck) await this.#check(ConditionCheck)
      return true
    })
    return done !== null
  }

  /** A change of nothing, on a condition. */
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

/** An index that other adapters use to find what they wrote. */
export interface IndexLayout {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string
}

/** How often a transaction is tried that runs into another one. */
const PATIENCE = 8

function isWrite({ step }: Part): boolean {
  return !step.ConditionCheck
}

/** All or nothing: what cannot be undone would be left without what was put for it. */
async function takeBack(done: readonly Part[]): Promise<void> {
  if (done.some(({ undo }) => undo === undefined)) return
  for (const { undo } of done.toReversed()) await undo?.()
}

function colons(values: Item): Item {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]))
}

/** @returns `null` when the condition did not hold. */
async function ifHeld<Result>(work: () => Promise<Result>): Promise<Result | null> {
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
