/** Which trajectories a report holds: all, or those of tasks that did not end right. */
export const reportedTasks = ["all", "failed"] as const;
export type ReportedTasks = (typeof reportedTasks)[number];
