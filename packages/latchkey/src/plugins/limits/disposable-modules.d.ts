// The list of domains. The package is the one that the application installed.

declare module 'disposable-email-domains/index.js' {
  const domains: string[]
  export default domains
}
