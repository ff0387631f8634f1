// The notes follow the lesson: every window of this browser that shows a lesson says where it is (visit/address.js).
export default function ({ setTriggerValue }) {
  const channel = new BroadcastChannel("token-by-token");
  channel.onmessage = ({ data }) => setTriggerValue("moved", data);
  return () => channel.close();
}
