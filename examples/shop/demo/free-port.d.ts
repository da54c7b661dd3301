/** A port of the loopback interface on which nothing listens now. */
export declare function freePort(): Promise<number>;
