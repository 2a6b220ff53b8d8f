/** Whether each fault is repeated as often as promised, and each database proves everything: `npm run test:full`. */
export const isFull: boolean = Boolean(process.env.SVC_TEST_FULL)
