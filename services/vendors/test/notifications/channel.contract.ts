import { describe, expect, it } from "vitest";
import type { Channel, Destination } from "../../src/notifications/channel.ts";
import { notification } from "./samples.ts";

/** A channel to a recipient that the test controls. */
export interface ChannelUnderTest {
  readonly channel: Channel;
  readonly to: Destination;
  /** The messages that the recipient got, as text. */
  taken(): readonly string[];
  /**
   * Makes the recipient refuse messages from now on: temporarily, permanently, or by never answering. Resolves when it
   * gets the next one.
   */
  refuse(how: "for now" | "for good" | "in silence"): Promise<void>;
}

/** What every channel does. */
export function describeChannel(name: string, open: () => Promise<ChannelUnderTest>): void {
  const unlimited = new AbortController().signal;

  describe(`${name}: a channel`, () => {
    it("delivers what is known about the incident, under the id of the message", async () => {
      const { channel, to, taken } = await open();
      await channel.send(notification(), to, unlimited);
      const [text = ""] = taken();
      expect(taken()).toHaveLength(1);
      for (const said of ["ntf_1", "The cart has no total.", "one frame and its source", "Check the total"]) {
        expect(text).toContain(said);
      }
    });

    it("sends a repeated message under the same id", async () => {
      const { channel, to, taken } = await open();
      await channel.send(notification(), to, unlimited);
      await channel.send(notification(), to, unlimited);
      expect(taken().map((text) => text.includes("ntf_1"))).toEqual([true, true]);
    });

    it("says whether a refusal is final", async () => {
      const { channel, to, refuse } = await open();
      void refuse("for now");
      await expect(channel.send(notification(), to, unlimited)).rejects.not.toMatchObject({ isFinal: true });
      void refuse("for good");
      await expect(channel.send(notification(), to, unlimited)).rejects.toMatchObject({ isFinal: true });
    });

    it("ends when its time is up", async () => {
      const { channel, to, refuse } = await open();
      const arrived = refuse("in silence");
      const time = new AbortController();
      const isLate = expect(channel.send(notification(), to, time.signal)).rejects.toThrow("in time");
      await arrived;
      time.abort();
      await isLate;
    });
  });
}
