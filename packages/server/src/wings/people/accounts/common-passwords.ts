import { limits } from './limits.ts'

let list: Promise<ReadonlySet<string>> | undefined

/** Whether a password is among the most used ones, in whatever case. The list is read when it is first asked. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList()
  return (await list).has(password.toLowerCase())
}

/** 18,000 passwords that the length alone would let pass. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((each) => each.length >= limits.password.minLength))
}
