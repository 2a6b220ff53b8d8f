import { limits } from './limits.ts'

let list: Promise<ReadonlySet<string>> | undefined

/** Whether a password is among the most common ones, ignoring case. Reads the list on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList()
  return (await list).has(password.toLowerCase())
}

/** 18,000 common passwords that are long enough for the other rules. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((each) => each.length >= limits.password.minLength))
}
