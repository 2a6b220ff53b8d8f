// One script with the client and its parts for browsers.
export * from './index.ts'
export { createStore, localStorageStore } from './storage.ts'
export { stream } from './stream.ts'
