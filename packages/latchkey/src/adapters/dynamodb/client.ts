/** The item of a key, with JavaScript values. */
export type Item = Record<string, unknown>

/** The members of a `DynamoDBDocument` of `@aws-sdk/lib-dynamodb` that the adapter uses. */
export interface DynamoDBClient {
  get(input: { TableName: string; Key: Item; ConsistentRead: boolean }): Promise<{
    Item?: Item | undefined
  }>
  put(input: Put): Promise<unknown>
  update(input: Update & { ReturnValues: 'ALL_NEW' }): Promise<{ Attributes?: Item | undefined }>
  delete(input: Delete & { ReturnValues: 'ALL_OLD' }): Promise<{ Attributes?: Item | undefined }>
  query(input: Query): Promise<Page>
  scan(input: Scan): Promise<Page>
  transactWrite(input: { TransactItems: Step[] }): Promise<unknown>
}

interface Condition {
  TableName: string
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Item
}

export interface Put extends Condition {
  Item: Item
}

export interface Delete extends Condition {
  Key: Item
}

export interface Update extends Condition {
  Key: Item
  UpdateExpression: string
}

export interface Check extends Condition {
  Key: Item
  ConditionExpression: string
}

/** One part of a transaction. */
export interface Step {
  Put?: Put
  Delete?: Delete
  Update?: Update
  ConditionCheck?: Check
}

export interface Query {
  TableName: string
  IndexName?: string
  KeyConditionExpression: string
  ExpressionAttributeNames: Record<string, string>
  ExpressionAttributeValues: Item
  ConsistentRead?: boolean
  ExclusiveStartKey?: Item
}

export interface Scan {
  TableName: string
  FilterExpression: string
  ExpressionAttributeNames: Record<string, string>
  ExpressionAttributeValues: Item
  ConsistentRead: boolean
  ExclusiveStartKey?: Item
}

interface Page {
  Items?: Item[] | undefined
  LastEvaluatedKey?: Item | undefined
}
