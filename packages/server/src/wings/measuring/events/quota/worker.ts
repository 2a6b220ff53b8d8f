import { statfs } from 'node:fs/promises'

/** The share of the disk of a folder that is free for this process. */
export const freeShareOf = (folder: string) => async (): Promise<number> => {
  const { bavail, blocks } = await statfs(folder)
  return blocks === 0 ? 1 : bavail / blocks
}
