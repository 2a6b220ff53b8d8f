export { Time as RelativeTime, useNow } from './time.tsx'
