// The client with its parts for browsers, as one script.
export * from './index.ts'
export { createStore, localStorageStore } from './storage.ts'
export { stream } from './stream.ts'
