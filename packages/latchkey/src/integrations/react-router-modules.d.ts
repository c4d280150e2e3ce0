// What is used of React Router. It is the application's own that is loaded.

declare module 'react-router' {
  export interface RouterContext<T> {
    readonly defaultValue?: T
  }
  export function createContext<T>(defaultValue: T): RouterContext<T>
}
