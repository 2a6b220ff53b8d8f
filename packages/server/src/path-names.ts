import { type AddressParam, addresses } from './catalogue/nouns.ts'

/** The parameters of addresses that accept a key or a short id as well as an id. A rule is one of the flag in the address. */
export const pathNames = addresses.map(({ param }) => param) as readonly AddressParam[]

/** Names that an address gives, by parameter. Everything else in it belongs to the project. */
export type PathNames = { projectId: string } & { [Name in AddressParam]?: string | undefined }

/** Parameters with ids of other systems, such as a shop. They stay as they are. */
export const foreignIds: readonly string[] = ['productId']
