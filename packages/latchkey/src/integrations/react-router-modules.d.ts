// The part of React Router that is used. The package is the one that the application installed.

declare module 'react-router' {
  export interface RouterContext<T> {
    readonly defaultValue?: T
  }
  export function createContext<T>(defaultValue: T): RouterContext<T>
}
