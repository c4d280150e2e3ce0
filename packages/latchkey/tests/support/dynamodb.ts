import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb'
import dynalite from 'dynalite'
import type { DynamoDBClient } from '../../src/adapters/dynamodb/index.ts'

export interface TestDynamoDB extends AsyncDisposable {
  readonly client: DynamoDBDocument
  /** @returns the name of an empty table, with the index of another adapter or without. */
  createTable(options?: { indexed?: boolean }): Promise<string>
}

/** The headers of a signed request. */
const SIGNED = {
  authorization: 'AWS4-HMAC-SHA256 Credential=test, SignedHeaders=host, Signature=none',
  'x-amz-date': '20300101T000000Z',
}

/** DynamoDB as dynalite has it: in this process, without transactions and expiry. */
export async function startDynamoDB(): Promise<TestDynamoDB> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const database = new DynamoDB({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'test',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    // dynalite reads no signature, and to make one takes longer than to answer.
    signer: {
      sign: async (request) => ({ ...request, headers: { ...request.headers, ...SIGNED } }),
    },
  })
  let tables = 0
  return {
    client: DynamoDBDocument.from(database),
    async createTable({ indexed = false } = {}) {
      const TableName = `table-${++tables}`
      const names = ['pk', 'sk', ...(indexed ? ['GSI1PK', 'GSI1SK'] : [])]
      const index = {
        IndexName: 'GSI1',
        KeySchema: keys('GSI1PK', 'GSI1SK'),
        Projection: { ProjectionType: 'ALL' as const },
      }
      await database.createTable({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keys('pk', 'sk'),
        ...(indexed ? { GlobalSecondaryIndexes: [index] } : {}),
      })
      let status: string | undefined
      while (status !== 'ACTIVE') {
        status = (await database.describeTable({ TableName })).Table?.TableStatus
      }
      return TableName
    },
    async [Symbol.asyncDispose]() {
      database.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function keys(partition: string, sort: string) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ]
}

/**
 * What dynalite lacks: writes that happen together or not at all, one transaction after the other.
 * That shows that the requests are right; how Amazon's handles those that meet, it cannot show.
 */
export function withTransactions(client: DynamoDBDocument): DynamoDBClient {
  let before: Promise<unknown> = Promise.resolve()
  return {
    get: (input) => client.get(input),
    put: (input) => client.put(input),
    update: (input) => client.update(input),
    delete: (input) => client.delete(input),
    query: (input) => client.query(input),
    scan: (input) => client.scan(input),
    transactWrite({ TransactItems }) {
      const done = before.then(() => transact(client, TransactItems))
      before = done.catch(() => {})
      return done
    },
  }
}

type Steps = Parameters<DynamoDBClient['transactWrite']>[0]['TransactItems']

async function transact(client: DynamoDBDocument, steps: Steps): Promise<void> {
  const codes = await Promise.all(steps.map((step) => codeOf(client, step)))
  if (codes.some((code) => code !== 'None')) {
    throw Object.assign(new Error('Transaction cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons: codes.map((Code) => ({ Code })),
    })
  }
  for (const { Put, Update, Delete } of steps) {
    if (Put) await client.put(Put)
    if (Update) await client.update(Update)
    if (Delete) await client.delete(Delete)
  }
}

/** Tries a condition without changing anything. */
async function codeOf(client: DynamoDBDocument, step: Steps[number]): Promise<string> {
  const part = step.Put ?? step.Update ?? step.Delete ?? step.ConditionCheck
  if (!part?.ConditionExpression) return 'None'
  const {
    Item,
    Key,
    UpdateExpression: _,
    ...rest
  } = {
    Item: undefined,
    Key: undefined,
    UpdateExpression: undefined,
    ...part,
  }
  const { pk, sk } = (Item ?? Key ?? {}) as Record<string, unknown>
  const used = <Value>(all: Record<string, Value> | undefined, kept: string) =>
    Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => kept.includes(name)))
  const values = used(rest.ExpressionAttributeValues, part.ConditionExpression)
  try {
    const { Attributes: before } = await client.update({
      TableName: part.TableName,
      Key: { pk, sk },
      ReturnValues: 'ALL_OLD',
      ConditionExpression: part.ConditionExpression,
      UpdateExpression: 'REMOVE #nothing',
      ExpressionAttributeNames: {
        ...used(rest.ExpressionAttributeNames, part.ConditionExpression),
        '#nothing': 'nothing',
      },
      ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    })
    // An update of nothing makes an item where there was none.
    if (!before) await client.delete({ TableName: part.TableName, Key: { pk, sk } })
    return 'None'
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return 'ConditionalCheckFailed'
    throw error
  }
}
