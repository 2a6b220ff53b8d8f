// What a page can do with scripts; without them everything but the search is there.
import { startColorScheme } from './color-scheme.ts'
import { followContents } from './contents.ts'
import { addCopyButtons } from './copy.ts'
import { showCurrentLink } from './navigation.ts'
import { startSearch } from './search.ts'

startColorScheme()
showCurrentLink()
startSearch()
addCopyButtons()
followContents()
