import fc from 'fast-check'
import { secrets } from './secrets.ts'
import { seed } from './seed.ts'

/**
 * Vitest runs this before each test file. Files of one worker share the list of secrets, but not their databases: the
 * secrets of earlier files were searched for at the end of those files. Searching for all of them again takes five times
 * as long.
 */
secrets.forget()

fc.configureGlobal({ seed })
